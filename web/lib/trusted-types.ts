/** The part of the Trusted Types API used here; TypeScript's DOM types lack it. */
interface PolicyFactory {
  createPolicy: (name: string, rules: Record<string, (text: string) => string>) => unknown
}

/**
 * Installs the default Trusted Types policy that the content security policy requires (`require-trusted-types-for
 * 'script'`). Script URLs must be built files of this server, and HTML must contain no tag (libraries insert style
 * sheets this way). The browser blocks everything else. Call it first, in the page and in its workers.
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

/**
 * Returns text without tags and character references, which HTML parsing does not change; throws a TypeError otherwise.
 */
function plainText(text: string): string {
  if (/[<&]/.test(text)) throw new TypeError('Markup is not allowed here.')
  return text
}
