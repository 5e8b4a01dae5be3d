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
  sign_up: z
    .enum(['open', 'invited', 'closed'])
    .describe('invited: owners of projects invite users; closed: administrators create accounts'),
  sign_up_domains: z.array(z.string()).describe('domains of addresses that can sign up; empty: all'),
  password_sign_in: z.boolean().describe('false: sign-in by the OpenID Connect provider only'),
  sign_in_with: z.string().nullable().describe('the OpenID Connect provider; null if none is set'),
  max_upload_bytes: z.number().int(),
  citations: z.boolean().describe('false: papers cannot be cited'),
  mcp: z.boolean().describe('false: the server has no MCP server for assistants'),
  ai: z.object({
    provider: z.boolean().describe('false: the built-in models are used'),
    chat_model: z.string(),
    ocr: z.string().describe("model for scans: the name of a vision model, or 'Built-in OCR (Tesseract)'"),
    ocr_languages: z
      .array(z.string())
      .describe(
        "the installed languages of the built-in OCR, by their codes at Tesseract such as 'deu'; empty with a vision model",
      ),
    ocr_standard_languages: z
      .array(z.string())
      .describe('the languages that OCR reads without a choice: OCR_LANGUAGES; empty with a vision model'),
  }),
})
export type Site = z.infer<typeof site>
