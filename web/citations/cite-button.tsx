import { useEffect, useState } from 'react'
import { queryClient } from '#web/lib/query-client.ts'
import { useSite } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { useFirstUse } from '#web/ui/first-use.ts'
import { Popover } from '#web/ui/popover.tsx'
import type { CitedDocument, CitePanel } from './cite-panel.tsx'
import { type CitingProject, styleFor } from './last-used.ts'
import { citationsQuery, citationStylesQuery } from './queries.ts'

const loadPanel = () => import('./cite-panel.tsx').then((file) => file.CitePanel)

/** Selector of elements in which the key C has another use, such as typing. The shortcut does nothing there. */
const TAKEN =
  'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/** Ignores the error of a prefetch. The popover repeats the request and shows its error. */
const ignoreError = () => undefined

/**
 * A button that opens the citation of a paper. The key C opens it too. Renders nothing if the server cannot format citations.
 */
export function CiteButton({ document: cited, project }: { document: CitedDocument; project: CitingProject }) {
  const { citations } = useSite()
  const [open, setOpen] = useState(false)
  const { used, prepare: preparePanel, show } = useFirstUse<typeof CitePanel, true>(loadPanel)
  useEffect(() => {
    if (open) show(true)
  }, [open, show])
  useEffect(() => {
    if (!citations) return
    const press = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event
      if (key.toLowerCase() !== 'c' || ctrlKey || metaKey || altKey) return
      if (document.querySelector('[role=dialog], [role=alertdialog]')) return
      if (target instanceof HTMLElement && target.closest(TAKEN)) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [citations])
  if (!citations) return null
  // Prefetches before the click, because the first citation in a style takes a second on a busy server.
  const prepare = () => {
    preparePanel()
    queryClient.query(citationStylesQuery).catch(ignoreError)
    queryClient.query(citationsQuery({ ids: [cited.id], style: styleFor(project) })).catch(ignoreError)
  }
  return (
    <Popover
      label="Cite"
      wide
      open={open && used !== undefined}
      onOpenChange={setOpen}
      trigger={
        <Button aria-keyshortcuts="c" onPointerEnter={prepare} onFocus={prepare}>
          Cite
          <kbd className="max-md:hidden" aria-hidden>
            C
          </kbd>
        </Button>
      }
    >
      {used ? <used.part document={cited} project={project} /> : null}
    </Popover>
  )
}
