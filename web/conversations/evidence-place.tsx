import { Link } from '@tanstack/react-router'
import type { StoredEvidence } from '#shared/contract/conversations.ts'
import { pages } from '#shared/contract/paths.ts'
import { PageLink, PageLinkLabel } from '#web/ui/page-link.tsx'

interface EvidencePlaceProps {
  evidence: StoredEvidence
  /** The part of the URL that identifies the project. */
  address: string
  current?: boolean
  onOpen: (evidence: StoredEvidence) => void
}

/**
 * A link to the place of a quote. It opens the page of the quote in the reader. If the newest text of the paper does not
 * contain the quote, the link opens the list of such quotes ('lost places').
 */
export const EvidencePlace = ({ evidence, address, current = false, onOpen }: EvidencePlaceProps) =>
  evidence.lost ? (
    <Link to={pages.lostPlaces(address)} title="The newest text of the paper does not contain this quote.">
      <PageLinkLabel>Lost place</PageLinkLabel>
    </Link>
  ) : (
    <PageLink page={evidence.page} current={current} onClick={() => onOpen(evidence)} />
  )
