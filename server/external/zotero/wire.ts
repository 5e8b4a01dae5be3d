import { z } from 'zod'

/* Responses of the Zotero Web API, version 3: https://www.zotero.org/support/dev/web_api/v3/basics. */

/**
 * The key of an item or a collection in Zotero. Only letters and digits are accepted, because other characters could change the
 * path of a request.
 */
export const objectKey = z.string().regex(/^[A-Za-z0-9]{1,32}$/)

const access = z.object({ library: z.boolean().optional() })

/** Response of GET /keys/current of the Zotero API. */
export const keyWire = z.object({
  userID: z.number().int(),
  username: z.string(),
  access: z.object({ user: access.optional(), groups: z.record(z.string(), access).optional() }).default({}),
})

/** Response of GET /users/{id}/groups of the Zotero API. */
export const groupsWire = z.array(z.object({ id: z.number().int(), data: z.object({ name: z.string() }) }))

/** Response of GET {library}/collections of the Zotero API. */
export const collectionsWire = z.array(
  z.object({
    key: objectKey,
    meta: z.object({ numItems: z.number().int().optional() }).default({}),
    data: z.object({ name: z.string(), parentCollection: z.union([z.string(), z.literal(false)]).optional() }),
  }),
)

/** Attachments and notes, in a response of GET {library}/items or GET {library}/items/{key}/children. */
export const childrenWire = z.array(
  z.object({
    key: objectKey,
    data: z.object({
      itemType: z.string(),
      title: z.string().optional(),
      linkMode: z.string().optional(),
      contentType: z.string().nullish(),
      filename: z.string().nullish(),
      parentItem: z.union([z.string(), z.literal(false)]).optional(),
      deleted: z.union([z.number(), z.boolean()]).optional(),
    }),
  }),
)
export type ZoteroChild = z.output<typeof childrenWire>[number]

/** Response of GET {library}/deleted of the Zotero API. */
export const deletedWire = z.object({ items: z.array(z.string()).default([]) })
