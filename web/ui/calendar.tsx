import { DayPicker } from 'react-day-picker'
import styles from './calendar.module.css'

const FIRST_YEAR = 1900

/** A month calendar with arrow-key navigation and lists for month and year. */
export function Calendar({
  date,
  onChoose,
}: {
  /** The selected day as `yyyy-mm-dd`, or null. */
  date: string | null
  /** Called with the chosen day as `yyyy-mm-dd`, or with null if the user clicks the selected day. */
  onChoose: (date: string | null) => void
}) {
  const selected = date ? localDay(date) : undefined
  const thisYear = new Date().getFullYear()
  const year = selected?.getFullYear() ?? thisYear
  return (
    <DayPicker
      className={styles.calendar}
      mode="single"
      autoFocus
      captionLayout="dropdown"
      startMonth={new Date(Math.min(year, FIRST_YEAR), 0)}
      endMonth={new Date(Math.max(year, thisYear + 1), 11)}
      reverseYears
      weekStartsOn={1}
      {...(selected ? { selected, defaultMonth: selected } : {})}
      onSelect={(day: Date | undefined) => onChoose(day ? written(day) : null)}
    />
  )
}

/** Parses `yyyy-mm-dd` as a date in the local time zone, so that the calendar shows the same day in every time zone. */
function localDay(date: string): Date {
  const day = new Date(2000, 0, 1)
  day.setFullYear(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10)))
  return day
}

const written = (day: Date) =>
  [
    String(day.getFullYear()).padStart(4, '0'),
    ...[day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')),
  ].join('-')
