import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { cn } from './class-names.ts'
import { useLandmark } from './use-landmark.tsx'

export interface SelectOption {
  /** Not empty: Radix reads an empty value as no selection. */
  value: string
  label: string
  about?: string
}

/** A select control. `compact` is the small variant of the pager. */
export function Select({
  value,
  onChange,
  options,
  placeholder,
  compact = false,
  disabled = false,
  ...names
}: {
  value: string | undefined
  onChange: (value: string) => void
  options: readonly SelectOption[]
  placeholder?: string
  compact?: boolean
  disabled?: boolean
  id?: string
  'aria-label'?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
}) {
  const { container, marker } = useLandmark()
  return (
    <Radix.Root value={value ?? ''} onValueChange={onChange} disabled={disabled}>
      <Radix.Trigger
        className={cn(compact ? 'btn btn-outline btn-sm num font-normal' : 'field field-button')}
        {...names}
      >
        <span className="truncate">
          <Radix.Value placeholder={<span className="quiet">{placeholder}</span>} />
        </span>
        <ChevronDown className={cn('ic', compact && 'tail')} aria-hidden />
      </Radix.Trigger>
      {marker}
      <Radix.Portal container={container}>
        <Radix.Content className="menu select-menu" position="popper" sideOffset={4} collisionPadding={8}>
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item key={option.value} value={option.value} className="menu-item" textValue={option.label}>
                <div className="min-w-0 flex-1">
                  <Radix.ItemText>{option.label}</Radix.ItemText>
                  {option.about ? <p className="quiet text-meta">{option.about}</p> : null}
                </div>
                <Radix.ItemIndicator>
                  <Check className="ic" aria-hidden />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
