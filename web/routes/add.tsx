import { createFileRoute } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import { RequireSession } from '#web/auth/index.ts'
import { AddPage, sharedIdentifier } from '#web/identifiers/index.ts'

/** Returns a search parameter as text, or undefined if it is empty. The router parses digits, such as a PMID, as a number. */
const text = (value: unknown) =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined

export const Route = createFileRoute('/add')({
  // `text` and `title` come from the share menu of a device, which often has the address in the text.
  validateSearch: (search): { url?: string | undefined; text?: string | undefined; title?: string | undefined } => ({
    url: text(search['url']),
    text: text(search['text']),
    title: text(search['title']),
  }),
  component: Add,
})

function Add() {
  const identifier = sharedIdentifier(Route.useSearch())
  return (
    <RequireSession back={pages.add(identifier)}>
      {() => <AddPage key={identifier} identifier={identifier} />}
    </RequireSession>
  )
}
