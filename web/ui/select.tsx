import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import styles from './button.module.css'
import { cn } from './class-names.ts'
import fieldStyles from './field.module.css'
import { useFirstUse } from './first-use.ts'
import type { OpenSelect, SelectOption } from './open-select.tsx'

const loadSelect = () => import('./open-select.tsx').then((file) => file.OpenSelect)
/** Keys that open the list. Enter and the space bar are not listed: they click the button, which also opens the list. */
const OPENS = new Set(['ArrowDown', 'ArrowUp'])

/**
 * A select control. `compact` is a smaller variant. The code of the list is loaded when the pointer or the focus reaches the
 * control.
 */
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
  const { used, prepare, show } = useFirstUse<typeof OpenSelect, true>(loadSelect)
  const chosen = options.find((option) => option.value === value)
  const closed: ComponentProps<'button'> = {
    role: 'combobox',
    'aria-autocomplete': 'none',
    'aria-expanded': false,
    onPointerEnter: prepare,
    onFocus: prepare,
    onClick: () => show(true),
    onKeyDown: (event) => {
      if (!OPENS.has(event.key)) return
      event.preventDefault()
      show(true)
    },
  }
  const trigger = (
    <button
      type="button"
      disabled={disabled}
      className={
        compact
          ? cn(styles.button, styles.outline, styles.small, 'font-normal tabular-nums lining-nums')
          : cn(fieldStyles.field, fieldStyles.selectField)
      }
      {...names}
      {...(used ? {} : closed)}
      data-slot={compact ? 'button' : 'select-field'}
    >
      <span className="truncate">{chosen?.label ?? <span className="text-muted-foreground">{placeholder}</span>}</span>
      <ChevronDown data-trailing={compact || undefined} aria-hidden />
    </button>
  )
  return used ? (
    <used.part trigger={trigger} value={value} onChange={onChange} options={options} disabled={disabled} />
  ) : (
    trigger
  )
}
