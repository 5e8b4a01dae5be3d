import { z } from 'zod'

/** Response of the OAuth token endpoint of Google: https://developers.google.com/identity/protocols/oauth2/web-server */
export const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().optional() })

/**
 * Response of the method files.list of Google Drive:
 * https://developers.google.com/workspace/drive/api/reference/rest/v3/files/list
 */
export const fileList = z.object({
  files: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      mimeType: z.string(),
      /** Bytes, as a decimal string. Absent for folders. */
      size: z.string().optional(),
    }),
  ),
  nextPageToken: z.string().optional(),
})
