/** Returns the header Content-Disposition for a file of any name: a download, or with `inline` a page of the browser. */
export function disposition(kind: 'attachment' | 'inline', name: string): string {
  const ascii = name.replaceAll(/[^ -~]|["\\/%]/g, '_')
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`
}
