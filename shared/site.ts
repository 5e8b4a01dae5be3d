import { z } from 'zod'

/** GET /api/site: what the web app needs to know before anyone signs in. No secrets. */
export const site = z.object({
  product_name: z.string(),
  company_name: z.string(),
  support_email: z.string(),
  privacy_email: z.string(),
  version: z.string(),
  commit: z.string().nullable().describe('the git commit of the build; null where it is unknown'),
  mail_enabled: z.boolean(),
  first_account: z.boolean().describe('nobody has an account yet: the first one becomes the administrator'),
  sign_in_with: z.string().nullable().describe('the OpenID Connect provider, where one is set'),
  max_upload_bytes: z.number().int(),
  ai: z.object({
    provider: z.boolean().describe('false: the built-in models answer'),
    chat_model: z.string(),
    ocr: z.string().describe("what reads scans: a vision model's name, or 'Built-in OCR (Tesseract)'"),
  }),
})
export type Site = z.infer<typeof site>
