import { ToggleGroup } from 'radix-ui'

/** User or Admin: a click on the other one changes the right at once. */
export function RoleToggle({
  name,
  isAdmin,
  disabled,
  onChange,
}: {
  /** Whose right it is. */
  name: string
  isAdmin: boolean
  disabled: boolean
  onChange: (isAdmin: boolean) => void
}) {
  return (
    <ToggleGroup.Root
      type="single"
      className="role"
      aria-label={`Role of ${name}`}
      value={isAdmin ? 'admin' : 'user'}
      disabled={disabled}
      // A click on the chosen one gives an empty value, and changes nothing.
      onValueChange={(chosen) => chosen && onChange(chosen === 'admin')}
    >
      <ToggleGroup.Item value="user">User</ToggleGroup.Item>
      <ToggleGroup.Item value="admin">Admin</ToggleGroup.Item>
    </ToggleGroup.Root>
  )
}
