import { useState } from 'react'
import { documentDetail, type DocumentDetail, type TextOffer } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import { messageOf, one, request } from '#web/lib/api.ts'
import { documentQuery, refreshDocuments } from '#web/lib/document-queries.ts'
import { grouped } from '#shared/text/numbers.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import styles from './processing.module.css'

/**
 * Shown for a document in which OCR found less text than it already has. Asks which text to keep: the current text or the text
 * found by OCR.
 */
export function TextOfferNote({ document, offer }: { document: DocumentDetail; offer: TextOffer }) {
  const [busy, setBusy] = useState(false)
  const choose = (use: 'current' | 'offered') => {
    setBusy(true)
    void chooseText(document.id, use).finally(() => setBusy(false))
  }
  return (
    <section className={styles.offer} aria-label="Choice of the text">
      <p>
        OCR found less text than this paper has: {grouped(offer.letters)} letters and digits instead of{' '}
        {grouped(offer.current_letters)}. Nothing was replaced.
      </p>
      <details>
        <summary>Beginning of the text by OCR</summary>
        <p className="mt-1.5 max-h-48 overflow-y-auto font-serif wrap-anywhere whitespace-pre-line">
          {offer.beginning.replace(/^\[Page 1\]\s*/, '')}
        </p>
      </details>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="primary" disabled={busy} onClick={() => choose('current')}>
          Keep the current text
        </Button>
        <Button size="sm" disabled={busy} onClick={() => choose('offered')}>
          Use the text by OCR
        </Button>
      </div>
    </section>
  )
}

async function chooseText(id: string, use: 'current' | 'offered'): Promise<void> {
  try {
    const body = { use }
    const saved = await request(api.documentTextChoice(id), { method: 'POST', body, schema: one(documentDetail) })
    queryClient.setQueryData(documentQuery(id).queryKey, saved)
    refreshDocuments()
  } catch (error) {
    toast({ title: 'Error', description: messageOf(error), destructive: true })
  }
}
