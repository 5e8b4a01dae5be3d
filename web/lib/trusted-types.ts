/** The part of the browser's Trusted Types that is used here; the standard library's types do not know it yet. */
interface PolicyFactory {
  createPolicy: (name: string, rules: Record<string, (text: string) => string>) => unknown
}

/**
 * Names what text may become in this page, which the content policy asks for (`require-trusted-types-for 'script'`):
 * worker scripts come from this server's own files, and what is set as markup holds no tag (libraries write style sheets
 * so). Everything else is refused by the browser, whoever tries it. Called first, in the page and in its workers.
 */
export function startTrustedTypes(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }
  trustedTypes?.createPolicy('default', { createScriptURL: ownFile, createHTML: plainText })
}

/** An address of a built file of this server. */
function ownFile(text: string): string {
  const url = new URL(text, location.href)
  if (url.origin === location.origin && url.pathname.startsWith('/assets/')) return url.href
  throw new TypeError('This address is no script of ours.')
}

/** Text without a tag or a character reference: it means the same as markup. */
function plainText(text: string): string {
  if (/[<&]/.test(text)) throw new TypeError('This text is markup.')
  return text
}
