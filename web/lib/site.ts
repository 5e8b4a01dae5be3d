import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '#shared/contract/paths.ts'
import { site } from '#shared/contract/site.ts'
import type { Site } from '#shared/contract/site.ts'
import { one, request } from './api.ts'
import { queryClient } from './query-client.ts'

const SITE = ['site']
const REMEMBERED = 'lectern.site'

/** Settings that are used on the first visit until the server has responded. */
const UNTIL_KNOWN: Site = {
  product_name: '',
  company_name: '',
  support_email: '',
  privacy_email: '',
  version: '',
  commit: null,
  mail_enabled: false,
  first_account: false,
  sign_up: 'open',
  sign_up_domains: [],
  password_sign_in: true,
  sign_in_with: null,
  citations: false,
  mcp: false,
  max_upload_bytes: Number.POSITIVE_INFINITY,
  ai: { provider: false, chat_model: '', ocr: '', ocr_languages: [], ocr_standard_languages: [] },
}

/**
 * Query: the settings of the server. They do not change while the server runs, except `first_account` and, if AI_CHAT_MODEL is
 * not set, `ai.chat_model`.
 */
export const siteQuery = queryOptions({ queryKey: SITE, queryFn: fetchSite, staleTime: Infinity })

/** Returns the server's settings, for example the product name, the company, e-mail addresses and limits. */
export function useSite(): Site {
  return useQuery({ ...siteQuery, placeholderData: remembered }).data ?? UNTIL_KNOWN
}

/** Refetches the settings of the server, for example after the first account was created. */
export const refreshSite = () => queryClient.invalidateQueries({ queryKey: SITE })

async function fetchSite({ signal }: { signal: AbortSignal }): Promise<Site> {
  const answer = await request(api.site(), { schema: one(site), signal })
  localStorage.setItem(REMEMBERED, JSON.stringify(answer))
  return answer
}

/**
 * Returns the settings from the last visit. They are used until the server responds, so that the page header does not change
 * after loading.
 */
function remembered(): Site | undefined {
  const parsed = site.safeParse(JSON.parse(localStorage.getItem(REMEMBERED) ?? 'null'))
  // The first account may have been created since the last visit, so only the server knows `first_account`.
  return parsed.success ? { ...parsed.data, first_account: false } : undefined
}
