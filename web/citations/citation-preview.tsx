import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Reference } from '#shared/contract/references.ts'
import { messageOf } from '#web/lib/api.ts'
import { Spinner } from '#web/ui/marks.tsx'
import { type CitingProject, styleFor } from './last-used.ts'
import { readMarkup } from './markup.tsx'
import { citationPreviewQuery } from './queries.ts'

/** Delay of the preview after the last change of the reference, in ms. */
const DELAY_MS = 400

/**
 * Previews the bibliography entry of an edited reference that is not stored yet. Uses the default style of the project, else
 * the last used style. Updates shortly after each change.
 */
export function CitationPreview({ reference, project }: { reference: Reference; project: CitingProject }) {
  const wanted = JSON.stringify(reference)
  const [delayed, setDelayed] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(wanted), DELAY_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  const [style] = useState(() => styleFor(project))
  const { data, error } = useQuery({
    ...citationPreviewQuery(delayed, style, project.citation_language),
    placeholderData: keepPreviousData,
  })
  if (error) return <p role="alert">{messageOf(error)}</p>
  if (!data) return <Spinner label="Formatting" />
  return (
    <p className="pl-5 -indent-5 font-serif text-[1rem] leading-6 text-pretty wrap-anywhere">
      {readMarkup(data.bibliography.join('\n') || data.intext)}
    </p>
  )
}
