/** Resolution of page images for OCR. */
export const OCR_DPI = 200
/** Larger pages (posters, maps) are rendered at a lower resolution. */
export const OCR_MAX_PIXELS = 25_000_000
/** OCR takes seconds per page: longer scans are refused. */
export const MAX_OCR_PAGES = 1000
export const OCR_PAGE_TIMEOUT_MS = 120_000
/** Heap and buffers of one worker; the image of one page is a few megabytes. */
export const OCR_MEMORY_MB = 768
/** Concurrent pages at the vision model. */
export const VISION_PAGES_AT_A_TIME = 2
