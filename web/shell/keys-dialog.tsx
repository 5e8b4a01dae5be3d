import { useLocation } from '@tanstack/react-router'
import { Dialog } from '#web/ui/dialog.tsx'

/** The keys that do something on the page now open. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const path = useLocation({ select: (location) => location.pathname })
  const keys: [string, string][] = [
    ['Ctrl K', 'Search projects, documents and pages'],
    ...(path.endsWith('/documents')
      ? ([['/', 'Search the documents of this project']] satisfies [string, string][])
      : []),
    ...(path.endsWith('/chat')
      ? ([
          ['Enter', 'Send the question'],
          ['Shift Enter', 'Start a new line'],
        ] satisfies [string, string][])
      : []),
    ['Esc', 'Close what is open'],
    ['?', 'Show these keys'],
  ]
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts">
      <dl className="keys body">
        {keys.map(([key, about]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
