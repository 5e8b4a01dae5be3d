import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { messageOf } from '#web/lib/api.ts'
import { documentQuery } from '#web/lib/document-queries.ts'
import { locatePassage, type Spot } from './locate-passage.ts'
import { ReaderFailure, ReaderLoading } from './reader-states.tsx'
import styles from './reader.module.css'

interface AbstractViewProps {
  documentId: string
  passage: FoundPassage
}

/** Shows the title and the abstract of a paper without a text, and highlights the passage. */
export function AbstractView({ documentId, passage }: AbstractViewProps) {
  const { data, error, refetch } = useQuery(documentQuery(documentId))
  const paper = useRef<HTMLElement>(null)
  const isLoaded = data !== undefined
  useEffect(() => {
    if (isLoaded) paper.current?.querySelector('mark')?.scrollIntoView({ block: 'center' })
  }, [isLoaded, passage])
  if (error && !data)
    return (
      <ReaderFailure
        message="The abstract could not be loaded"
        about={messageOf(error)}
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <ReaderLoading />
  const pieces = [data.title?.trim() ?? '', data.abstract?.trim() ?? '']
  const found = passage.quote ? locatePassage(pieces, passage.quote, passage.start) : null
  const marked = (piece: number) => (
    <Marked text={pieces[piece]!} spots={found?.spots.filter((spot) => spot.piece === piece) ?? []} />
  )
  return (
    <div className={styles.abstractFrame} tabIndex={0}>
      <article ref={paper} className={styles.abstract}>
        <h3>{marked(0)}</h3>
        <p>{marked(1)}</p>
        {passage.quote && !found ? (
          <p className={styles.abstractNote}>
            The abstract has changed. The passage reads: <q>{passage.quote}</q>
          </p>
        ) : null}
      </article>
    </div>
  )
}

function Marked({ text, spots }: { text: string; spots: readonly Spot[] }) {
  const borders = [0, ...spots.flatMap(({ from, to }) => [from, to]), text.length]
  return borders.slice(1).map((to, index) => {
    const part = text.slice(borders[index], to)
    return index % 2 === 1 ? (
      <mark key={index} data-slot="passage-line">
        {part}
      </mark>
    ) : (
      part
    )
  })
}
