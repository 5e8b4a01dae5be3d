/**
 * Returns in words when a member last opened the project: 'Today', 'Yesterday', 'Nov 19, 2026', or 'Never' if `day` is null.
 * `day` is a UTC date (YYYY-MM-DD).
 */
export function lastSeen(day: string | null, now = new Date()): string {
  if (day === null) return 'Never'
  const at = new Date(`${day}T00:00:00Z`)
  const today = new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`)
  const days = (today.getTime() - at.getTime()) / 86_400_000
  if (days <= 1) return days === 1 ? 'Yesterday' : 'Today'
  return at.toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' })
}
