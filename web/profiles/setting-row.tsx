import { useId } from 'react'
import type { ReactNode } from 'react'
import { SectionRow } from '#web/ui/page.tsx'

/** A row of the settings: the name of a setting, its description and its switch. */
export function SettingRow({
  title,
  about,
  children,
}: {
  title: string
  about: string
  children: (ids: { id: string; 'aria-label': string; 'aria-describedby': string }) => ReactNode
}) {
  const id = useId()
  return (
    <SectionRow>
      <h2>{title}</h2>
      <div className="flex max-w-md items-center justify-between gap-6 leading-7">
        <p className="text-muted-foreground" id={`${id}-about`}>
          {about}
        </p>
        {children({ id, 'aria-label': title, 'aria-describedby': `${id}-about` })}
      </div>
    </SectionRow>
  )
}
