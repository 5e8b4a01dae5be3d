import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { CitationStyle } from '#shared/contract/citations.ts'
import { messageOf } from '#web/lib/api.ts'
import { grouped } from '#shared/text/numbers.ts'
import { menuClasses } from '#web/ui/dropdown-menu.tsx'
import { SpinnerRow, Spinner } from '#web/ui/marks.tsx'
import styles from './citations.module.css'
import { lastStyles } from './last-used.ts'
import { citationStylesQuery } from './queries.ts'

const SHOWN = 50

/**
 * A searchable list of citation styles. The last used styles are first, then the other styles. Typed words limit both groups.
 */
export function StyleList({ onChoose }: { onChoose: (id: string) => void }) {
  const list = useQuery(citationStylesQuery)
  const [typed, setTyped] = useState('')
  const words = useDeferredValue(typed).toLowerCase().split(/\s+/).filter(Boolean)
  const fits = ({ id, title }: CitationStyle) => words.every((word) => `${title} ${id}`.toLowerCase().includes(word))
  const found = (list.data?.data ?? []).filter(fits)
  const last = lastStyles().flatMap((id) => found.find((one) => one.id === id) ?? [])
  const others = found.filter((one) => !last.includes(one))
  if (list.error) return <p role="alert">{messageOf(list.error)}</p>
  if (!list.data)
    return (
      <SpinnerRow>
        <Spinner label="Loading styles" />
      </SpinnerRow>
    )
  return (
    <Command shouldFilter={false} label="Citation style">
      <div className={styles.search}>
        <Search aria-hidden />
        <Command.Input
          value={typed}
          onValueChange={setTyped}
          placeholder={`Search ${grouped(list.data.count)} styles`}
          autoFocus
        />
      </div>
      <Command.List className={styles.styles} label="Styles">
        <Command.Empty className={menuClasses.note}>No style found.</Command.Empty>
        <Group heading="Last used" rows={last} onChoose={onChoose} />
        <Group
          heading={last.length > 0 ? 'Other styles' : 'Styles'}
          rows={others.slice(0, SHOWN)}
          onChoose={onChoose}
        />
        {others.length > SHOWN ? (
          <p className={menuClasses.note}>{grouped(others.length - SHOWN)} more. Type to find one.</p>
        ) : null}
      </Command.List>
    </Command>
  )
}

function Group({
  heading,
  rows,
  onChoose,
}: {
  heading: string
  rows: readonly CitationStyle[]
  onChoose: (id: string) => void
}) {
  return rows.length === 0 ? null : (
    <Command.Group heading={heading}>
      {rows.map(({ id, title }) => (
        <Command.Item key={id} value={id} className={menuClasses.item} onSelect={() => onChoose(id)}>
          {title}
        </Command.Item>
      ))}
    </Command.Group>
  )
}
