import { useState } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { ManualJournal } from './manual-journal.tsx'
import { SourceSearch } from './source-search.tsx'

const TABS = [
  { value: 'search', label: 'Search OpenAlex' },
  { value: 'manual', label: 'Add manually' },
] as const

/** The dialog that adds a journal from OpenAlex or from typed data. Closing it discards typed text. */
export function AddJournalDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const [tab, setTab] = useState<'search' | 'manual'>('search')
  const [busy, setBusy] = useState(false)
  const close = (next: boolean) => {
    onOpenChange(next)
    if (!next) setTab('search')
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Add Journal"
      about="For everyone on this installation."
      wide
      locked={busy}
    >
      <div className="mt-4.5">
        <Tabs label="Add Journal" value={tab} onChange={setTab} tabs={TABS}>
          <TabPanel value="search">
            <SourceSearch />
          </TabPanel>
          <TabPanel value="manual">
            <ManualJournal onBusy={setBusy} onClose={() => close(false)} />
          </TabPanel>
        </Tabs>
      </div>
    </Dialog>
  )
}
