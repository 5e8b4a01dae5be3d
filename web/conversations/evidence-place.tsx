import { Link } from '@tanstack/react-router'
import type { StoredEvidence } from '#shared/contract/conversations.ts'
import { pages } from '#shared/contract/paths.ts'
import { PageLink, PageLinkLabel } from '#web/ui/page-link.tsx'

interface EvidencePlaceProps {
  evidence: StoredEvidence
  /** The address of the project. */
  address: string
  current?: boolean
  onOpen: (evidence: StoredEvidence) => void
}

/** The link to the place of a quote: its page in the reader, or the page of a paper that has only an abstract. */
export const EvidencePlace = ({ evidence, address, current = false, onOpen }: EvidencePlaceProps) =>
  evidence.page === null ? (
    <Link to={pages.document(address, evidence.document_id)}>
      <PageLinkLabel>Abstract</PageLinkLabel>
    </Link>
  ) : (
    <PageLink page={evidence.page} current={current} onClick={() => onOpen(evidence)} />
  )
