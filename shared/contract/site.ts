import { z } from 'zod'

/** GET /api/site: public settings that the web app needs before sign-in. Contains no secrets. */
export const site = z.object({
  product_name: z.string(),
  company_name: z.string(),
  support_email: z.string(),
  privacy_email: z.string(),
  version: z.string(),
  commit: z.string().nullable().describe('the git commit of the build; null if unknown'),
  mail_enabled: z.boolean(),
  first_account: z.boolean().describe('there is no account yet: the first one becomes the administrator'),
  sign_in_with: z.string().nullable().describe('the OpenID Connect provider; null if none is set'),
  max_upload_bytes: z.number().int(),
  ai: z.object({
    provider: z.boolean().describe('false: the built-in models are used'),
    chat_model: z.string(),
    ocr: z.string().describe("model for scans: the name of a vision model, or 'Built-in OCR (Tesseract)'"),
  }),
})
export type Site = z.infer<typeof site>
