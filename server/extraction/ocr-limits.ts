/** Resolution of the pictures that are read. */
export const OCR_DPI = 200
/** Larger pages (posters, maps) are drawn at a lower resolution. */
export const OCR_MAX_PIXELS = 25_000_000
/** OCR takes seconds a page: longer scans than this are refused. */
export const MAX_OCR_PAGES = 1000
export const OCR_PAGE_TIMEOUT_MS = 120_000
/** Heap and buffers of one worker; the picture of one page is a few megabytes. */
export const OCR_MEMORY_MB = 768
/** Pages at the vision model at a time. */
export const VISION_PAGES_AT_A_TIME = 2
