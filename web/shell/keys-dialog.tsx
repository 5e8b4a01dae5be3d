import { useLocation } from '@tanstack/react-router'
import { COMMAND_KEY } from '#web/lib/platform.ts'
import { useSite } from '#web/lib/site.ts'
import { cn } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import styles from './shell.module.css'

type Key = [key: string, about: string]

const PAPER: Key[] = [['C', 'Cite the paper']]
const CHAT: Key[] = [
  ['Enter', 'Send the question'],
  ['Shift Enter', 'Start a new line'],
  ['Escape', 'Stop the answer'],
]
const DUPLICATES: Key[] = [
  ['↑ ↓', 'Go to another group'],
  ['← →', 'Choose the values of one side'],
  ['J', 'Join the papers of the group'],
  ['N', 'Remember that they are not duplicates'],
  ['L', 'Show the group later'],
]
const EDIT: Key[] = [[`${COMMAND_KEY} Enter`, 'Save the changes']]
const PAGES: Key[] = [
  ['↑ ↓', 'Scroll the pages when they have the focus'],
  ['Page Up Page Down', 'Move between the pages when they have the focus'],
]

/** Lists the keyboard shortcuts of the current page. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { citations } = useSite()
  const path = useLocation({ select: (location) => location.pathname })
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts">
      <dl className={cn(styles.keyList, 'mt-4.5')}>
        {keysOf(path, citations).map(([key, about]) => (
          <div key={about}>
            <dt>
              {key.split(/ (?!Up|Down)/).map((cap) => (
                <kbd key={cap}>{cap}</kbd>
              ))}
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

function keysOf(path: string, citations: boolean): Key[] {
  const chat = path.endsWith('/chat')
  const asks = chat || /^\/[^/]+\/ask$/.test(path)
  return [
    [`${COMMAND_KEY} K`, 'Search documents, projects, pages and actions'],
    ['/', path.endsWith('/documents') ? 'Search the documents of this project' : 'Search'],
    ...(asks ? CHAT : []),
    ...(path.endsWith('/duplicates') ? DUPLICATES : []),
    ...(/^\/[^/]+\/document\/[^/]+\/edit$/.test(path) ? EDIT : []),
    ...(citations && /^\/[^/]+\/document\/[^/]+$/.test(path) ? PAPER : []),
    ...(chat || /^\/[^/]+\/document\//.test(path) ? PAGES : []),
    ['Tab', 'Go to the next control; with Shift, to the previous one'],
    ['Esc', 'Close the open dialog or menu'],
    ['?', 'Show the keyboard shortcuts'],
  ]
}
