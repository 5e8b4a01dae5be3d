import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { api } from '#shared/contract/paths.ts'
import { IconButton } from '#web/ui/button.tsx'
import { PdfReader } from './pdf-reader.tsx'
import styles from './reader.module.css'

export interface ReaderPanelProps {
  documentId: string
  passage: FoundPassage | null
  onClose: () => void
  onError?: (message: string) => void
}

/**
 * The reader as a sheet at the right edge; the page links of the page remain usable. Escape closes it and returns the
 * focus to the opener.
 */
export function ReaderPanel({ documentId, passage, onClose, onError }: ReaderPanelProps) {
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    close.current?.focus({ preventScroll: true })
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [])

  return (
    <div
      className={styles.panel}
      role="dialog"
      aria-label="Reader"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <div className={styles.panelHead}>
        <h2>{passage?.page ? `Page ${passage.page}` : 'Pages'}</h2>
        <IconButton ref={close} label="Close reader" onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <PdfReader source={api.documentFile(documentId)} target={passage} onError={onError} />
    </div>
  )
}
