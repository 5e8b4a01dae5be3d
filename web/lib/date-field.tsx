import { CalendarDays } from 'lucide-react'
import { Suspense, useState } from 'react'
import { publicationDate, readDate } from './dates.ts'
import { lazyPart } from './lazy-part.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Input } from '#web/ui/field.tsx'
import type { FieldIds } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import { Popover } from '#web/ui/popover.tsx'

// Loaded on first use: most forms are saved without it.
const Calendar = lazyPart(() => import('#web/ui/calendar.tsx').then((file) => file.Calendar))

/** A date field with a calendar. A chosen date is written as `MMMM dd, yyyy`, in every language of the browser. */
export function DateField({
  ids,
  value,
  onChange,
}: {
  ids: FieldIds
  /** The typed text; `readDate` parses it. */
  value: string
  onChange: (value: string) => void
}) {
  const [open, setOpen] = useState(false)
  const date = readDate(value)
  return (
    <Input
      {...ids}
      value={value}
      autoComplete="off"
      placeholder="March 04, 2025"
      onChange={(event) => onChange(event.target.value)}
      onBlur={() => date && onChange(publicationDate(date))}
      end={
        <Popover
          label="Calendar"
          align="end"
          open={open}
          onOpenChange={setOpen}
          trigger={
            <IconButton label="Open the calendar">
              <CalendarDays aria-hidden />
            </IconButton>
          }
        >
          <Suspense fallback={<Skeleton height="17rem" />}>
            <Calendar
              date={date}
              onChoose={(chosen) => {
                onChange(chosen ? publicationDate(chosen) : '')
                setOpen(false)
              }}
            />
          </Suspense>
        </Popover>
      }
    />
  )
}
