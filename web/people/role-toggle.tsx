import { ToggleGroup } from 'radix-ui'
import styles from './people.module.css'

/** A toggle with the items User and Admin. A click on the item that is not selected calls `onChange`. */
export function RoleToggle({
  name,
  isAdmin,
  disabled,
  onChange,
}: {
  /** Name of the user. */
  name: string
  isAdmin: boolean
  disabled: boolean
  onChange: (isAdmin: boolean) => void
}) {
  return (
    <ToggleGroup.Root
      type="single"
      className={styles.roleToggle}
      aria-label={`Role of ${name}`}
      value={isAdmin ? 'admin' : 'user'}
      disabled={disabled}
      // Radix reports an empty value for a click on the selected item.
      onValueChange={(chosen) => chosen && onChange(chosen === 'admin')}
    >
      <ToggleGroup.Item value="user">User</ToggleGroup.Item>
      <ToggleGroup.Item value="admin">Admin</ToggleGroup.Item>
    </ToggleGroup.Root>
  )
}
