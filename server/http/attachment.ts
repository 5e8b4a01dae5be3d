/** Returns the header Content-Disposition of a download with any file name. */
export function attachment(name: string): string {
  const ascii = name.replaceAll(/[^ -~]|["\\%]/g, '_')
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`
}
