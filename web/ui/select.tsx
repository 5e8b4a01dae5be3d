import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import styles from './button.module.css'
import { cn } from './class-names.ts'
import fieldStyles from './field.module.css'
import menuStyles from './menu.module.css'
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
        className={
          compact
            ? cn(styles.button, styles.outline, styles.small, 'font-normal tabular-nums lining-nums')
            : cn(fieldStyles.field, fieldStyles.selectField)
        }
        {...names}
        data-slot={compact ? 'button' : 'select-field'}
      >
        <span className="truncate">
          <Radix.Value placeholder={<span className="text-muted-foreground">{placeholder}</span>} />
        </span>
        <ChevronDown data-trailing={compact || undefined} aria-hidden />
      </Radix.Trigger>
      {marker}
      <Radix.Portal container={container}>
        <Radix.Content
          className={cn(menuStyles.menu, menuStyles.selectMenu)}
          position="popper"
          sideOffset={4}
          collisionPadding={8}
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                className={menuStyles.menuItem}
                textValue={option.label}
              >
                <div className="min-w-0 flex-1">
                  <Radix.ItemText>{option.label}</Radix.ItemText>
                  {option.about ? <p className="text-muted-foreground text-meta">{option.about}</p> : null}
                </div>
                <Radix.ItemIndicator>
                  <Check aria-hidden />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
