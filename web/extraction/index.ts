export { type BrowserExtractionOptions, BrokenPdf, extractInBrowser, PasswordRequired } from './extract-in-browser.ts'
