import { Check, Minus } from 'lucide-react'
import { Checkbox as Radix, Switch as RadixSwitch } from 'radix-ui'
import styles from './choice.module.css'

/** A checkbox. The state 'some' is shown as a dash; use it for a group of which only a part is selected. */
export function Checkbox({
  checked,
  onChange,
  label,
  id,
  disabled = false,
}: {
  checked: boolean | 'some'
  onChange: (checked: boolean) => void
  /** Accessible name; needed when no visible label refers to the checkbox. */
  label?: string
  id?: string
  disabled?: boolean
}) {
  return (
    <Radix.Root
      className={styles.checkbox}
      id={id}
      aria-label={label}
      disabled={disabled}
      checked={checked === 'some' ? 'indeterminate' : checked}
      onCheckedChange={(next) => onChange(next === true)}
      data-slot="checkbox"
    >
      <Radix.Indicator>{checked === 'some' ? <Minus aria-hidden /> : <Check aria-hidden />}</Radix.Indicator>
    </Radix.Root>
  )
}

/** A switch for a setting that is on or off. */
export function Switch({
  checked,
  onChange,
  ...names
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  id?: string
  'aria-label'?: string
  'aria-describedby'?: string | undefined
}) {
  return (
    <RadixSwitch.Root className={styles.switch} checked={checked} onCheckedChange={onChange} {...names}>
      <RadixSwitch.Thumb />
    </RadixSwitch.Root>
  )
}
