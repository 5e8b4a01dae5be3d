import { Check } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from './class-names.ts'
import styles from './menu.module.css'
import { useLandmark } from './use-landmark.tsx'

/** An option of a select control. */
export interface SelectOption {
  /** The value must not be empty: Radix treats an empty value as no selection. */
  value: string
  label: string
  about?: string
}

/** A select control with its trigger. Its list opens when it is first rendered. */
export function OpenSelect({
  trigger,
  value,
  onChange,
  options,
  disabled,
}: {
  trigger: ReactNode
  value: string | undefined
  onChange: (value: string) => void
  options: readonly SelectOption[]
  disabled: boolean
}) {
  const { container, marker } = useLandmark()
  return (
    <Radix.Root defaultOpen value={value ?? ''} onValueChange={onChange} disabled={disabled}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      {marker}
      <Radix.Portal container={container}>
        <Radix.Content
          className={cn(styles.menu, styles.selectMenu)}
          position="popper"
          sideOffset={4}
          collisionPadding={8}
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item key={option.value} value={option.value} className={styles.menuItem} textValue={option.label}>
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
