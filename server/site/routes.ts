import { defaultModelNow, hasProvider, hasVision } from '#server/ai/index.ts'
import { oidcName } from '#server/auth/index.ts'
import { ocrChoices, ocrStandard } from '#server/extraction/index.ts'
import { env } from '#server/lib/env.ts'
import { mailEnabled } from '#server/mail/mail.ts'
import { one } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { createRouter } from '#server/http/router.ts'
import { commit, version } from '#server/lib/version.ts'
import { isEmptyInstallation } from '#server/profiles/index.ts'
import { modelName } from '#shared/contract/prompts.ts'
import { site } from '#shared/contract/site.ts'

export const routes = createRouter()

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/site',
    access: { role: 'visitor', body: 'none', limit: 'none', scope: 'none' },
    tags: ['Site'],
    security: [],
    responses: { 200: one(site, 'The settings that the web app needs before sign-in') },
  }),
  async (c) =>
    c.json(
      {
        data: {
          product_name: env.PRODUCT_NAME,
          company_name: env.COMPANY_NAME,
          support_email: env.SUPPORT_EMAIL,
          privacy_email: env.PRIVACY_EMAIL,
          version,
          commit,
          mail_enabled: mailEnabled(),
          first_account: await isEmptyInstallation(),
          sign_up: env.SIGN_UP,
          sign_up_domains: env.SIGN_UP_DOMAINS,
          password_sign_in: env.PASSWORD_SIGN_IN,
          sign_in_with: oidcName(),
          max_upload_bytes: env.MAX_UPLOAD_MB * 1024 * 1024,
          citations: env.CITATIONS,
          mcp: env.MCP,
          ai: {
            provider: hasProvider(),
            chat_model: modelName(defaultModelNow()),
            ocr: hasVision() ? env.AI_VISION_MODEL! : 'Built-in OCR (Tesseract)',
            ocr_languages: ocrChoices(),
            ocr_standard_languages: ocrStandard(),
          },
        },
      },
      200,
    ),
)
