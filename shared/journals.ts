import { z } from 'zod'

/** A journal as ordinary users choose it. */
export const journalOption = z.object({ id: z.uuid(), name: z.string(), rss_feed_url: z.string().nullable() })
export type JournalOption = z.infer<typeof journalOption>
