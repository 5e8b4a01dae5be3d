import { grouped } from '#shared/text/numbers.ts'
/** Formats a duration in its two largest units: `3 days 4 hours`, `5 hours 12 minutes`, `1 minute`. */
export function uptime(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000))
  const parts = [
    unit(Math.floor(minutes / 1440), 'day'),
    unit(Math.floor(minutes / 60) % 24, 'hour'),
    unit(minutes % 60, 'minute'),
  ]
  const first = parts.findIndex((part) => part !== '')
  if (first === -1) return 'less than a minute'
  return parts
    .slice(first, first + 2)
    .filter(Boolean)
    .join(' ')
}

const unit = (count: number, word: string) => (count === 0 ? '' : `${grouped(count)} ${word}${count === 1 ? '' : 's'}`)
