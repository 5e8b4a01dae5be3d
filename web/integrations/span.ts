/** Formats a duration: `12 s`, `4 min 5 s`, `1 h 3 min`. */
export function inWords(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min${whole % 60 > 0 ? ` ${whole % 60} s` : ''}`
  const minutes = Math.round(whole / 60)
  return `${Math.floor(minutes / 60)} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ''}`
}
