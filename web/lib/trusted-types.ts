/** The part of the Trusted Types API that is used here. TypeScript's DOM types do not contain it. */
interface PolicyFactory {
  createPolicy: (name: string, rules: Record<string, (text: string) => string>) => unknown
}

/**
 * Installs the default Trusted Types policy that the content security policy requires (`require-trusted-types-for 'script'`).
 * Script URLs must be built files of this server. HTML must contain no tag; libraries use such HTML to insert style sheets. The
 * browser blocks everything else. Call it first, in the page and in its workers.
 */
export function startTrustedTypes(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }
  trustedTypes?.createPolicy('default', { createScriptURL: ownFile, createHTML: plainText })
}

/** Returns the URL if it is a built file of this server; throws a TypeError otherwise. */
function ownFile(text: string): string {
  const url = new URL(text, location.href)
  if (url.origin === location.origin && url.pathname.startsWith('/assets/')) return url.href
  throw new TypeError('Only script files of this server are allowed.')
}

/** Returns the text unchanged if it contains no tag and no character reference; throws a TypeError otherwise. */
function plainText(text: string): string {
  if (/[<&]/.test(text)) throw new TypeError('Markup is not allowed here.')
  return text
}
