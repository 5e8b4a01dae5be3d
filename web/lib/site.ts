import { useQuery } from '@tanstack/react-query'
import { api } from '#shared/paths.ts'
import { site } from '#shared/site.ts'
import type { Site } from '#shared/site.ts'
import { one, request } from './api.ts'
import { queryClient } from './query-client.ts'

const SITE = ['site']
const REMEMBERED = 'lectern.site'

/** Shown on the very first visit until the server has answered. */
const UNTIL_KNOWN: Site = {
  product_name: '',
  company_name: '',
  support_email: '',
  privacy_email: '',
  version: '',
  commit: null,
  mail_enabled: false,
  first_account: false,
  sign_in_with: null,
  max_upload_bytes: Number.POSITIVE_INFINITY,
  ai: { provider: false, chat_model: '', ocr: '' },
}

/** The product's name, company, addresses and limits, which are settings of the server. */
export function useSite(): Site {
  return (
    useQuery({ queryKey: SITE, queryFn: fetchSite, staleTime: Infinity, placeholderData: remembered }).data ??
    UNTIL_KNOWN
  )
}

/** Asks anew: the first account is no longer to be made. */
export const refreshSite = () => queryClient.invalidateQueries({ queryKey: SITE })

async function fetchSite({ signal }: { signal: AbortSignal }): Promise<Site> {
  const answer = await request(api.site(), { schema: one(site), signal })
  localStorage.setItem(REMEMBERED, JSON.stringify(answer))
  return answer
}

/** The settings as of the last visit, so that the head of the page does not fill in late. */
function remembered(): Site | undefined {
  const parsed = site.safeParse(JSON.parse(localStorage.getItem(REMEMBERED) ?? 'null'))
  // Whether anybody has come meanwhile is the server's to say.
  return parsed.success ? { ...parsed.data, first_account: false } : undefined
}
