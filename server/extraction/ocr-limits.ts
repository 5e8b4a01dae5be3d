/** Resolution of page images for OCR, in dots per inch. */
export const OCR_DPI = 200
/** Maximum number of pixels of a page image. Larger pages, such as posters and maps, are rendered at a lower resolution. */
export const OCR_MAX_PIXELS = 25_000_000
/** Maximum number of pages that OCR reads. Longer scans are refused, because OCR takes seconds per page. */
export const MAX_OCR_PAGES = 1000
export const OCR_PAGE_TIMEOUT_MS = 120_000
/** Memory limit of one OCR worker in MB, for heap and buffers. The image of one page has a few megabytes. */
export const OCR_MEMORY_MB = 768
/** Number of pages that the vision model reads at the same time. */
export const VISION_PAGES_AT_A_TIME = 2
