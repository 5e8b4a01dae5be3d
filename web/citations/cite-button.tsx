import { useEffect, useState } from 'react'
import { useSite } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { CitePanel } from './cite-panel.tsx'

/** Elements that use the keys themselves. */
const TAKEN =
  'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/** Opens the citation of a paper; also by the key C. Absent if the server has no citations. */
export function CiteButton({ id, citationKey }: { id: string; citationKey: string | undefined }) {
  const { citations } = useSite()
  const [open, setOpen] = useState(false)
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
  return (
    <Popover
      label="Cite"
      wide
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button aria-keyshortcuts="c">
          Cite
          <kbd className="max-md:hidden" aria-hidden>
            C
          </kbd>
        </Button>
      }
    >
      <CitePanel id={id} citationKey={citationKey} />
    </Popover>
  )
}
