import { Link } from '@tanstack/react-router'
import { ArrowLeft, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { api } from '#shared/contract/paths.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { PageLinkLabel, placeLabel } from '#web/ui/page-link.tsx'
import { AbstractView } from './abstract-view.tsx'
import { PdfReader } from './pdf-reader.tsx'
import styles from './reader.module.css'

export interface ReaderPanelProps {
  documentId: string
  /** The passage to show. If its page is null, the passage is in the abstract. */
  passage: FoundPassage | null
  /**
   * Set on a page about several papers: the title of the paper, the URL of its page, and the label of the button that closes
   * the reader.
   */
  paper?: { title: string; address: string; back: string }
  onClose: () => void
  onError?: (message: string) => void
}

/**
 * The reader as a panel at the right edge of the window. The rest of the page remains usable. Below 768 px the panel covers the
 * page and shows the passage above the PDF pages. Escape closes it and returns the focus to the element that opened it.
 */
export function ReaderPanel({ documentId, passage, paper, onClose, onError }: ReaderPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  const [count, setCount] = useState<number | null>(null)
  useEffect(() => {
    const opener = document.activeElement
    const buttons = [...(panel.current?.querySelectorAll('button') ?? [])]
    buttons.find((button) => button.checkVisibility())?.focus({ preventScroll: true })
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [])
  const isAbstract = passage?.page === null
  const place = isAbstract
    ? 'Abstract'
    : passage?.page
      ? count !== null && paper
        ? `${passage.page} of ${count}`
        : `Page ${passage.page}`
      : 'Pages'

  return (
    <div
      ref={panel}
      className={styles.panel}
      role="dialog"
      aria-label="Reader"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <div className={styles.panelHead} data-narrow-back={paper ? '' : undefined}>
        {paper ? (
          <>
            <Button variant="ghost" className={styles.panelBack} onClick={onClose}>
              <ArrowLeft aria-hidden />
              {paper.back}
            </Button>
            <h2 className={styles.panelTitle} title={paper.title}>
              {paper.title}
            </h2>
            <span className={styles.panelPlace}>{place}</span>
            <Button asChild size="sm" className={styles.panelOpen}>
              <Link to={paper.address}>Open paper</Link>
            </Button>
          </>
        ) : (
          <h2>{place}</h2>
        )}
        <IconButton label="Close reader" onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      {paper && passage?.quote && !isAbstract ? (
        <div className={styles.panelPassage}>
          <Link to={paper.address}>{paper.title}</Link>
          <p tabIndex={0}>
            <mark>{passage.quote}</mark> <PageLinkLabel aria-current>{placeLabel(passage.page)}</PageLinkLabel>
          </p>
        </div>
      ) : null}
      {isAbstract ? (
        <AbstractView documentId={documentId} passage={passage} />
      ) : (
        <PdfReader source={api.documentFile(documentId)} target={passage} onPageCount={setCount} onError={onError} />
      )}
    </div>
  )
}
