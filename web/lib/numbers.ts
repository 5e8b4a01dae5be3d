/** Formats a whole number with commas: '1,200'. Without Intl, whose first formatter takes 20 ms of a page's first display. */
export const grouped = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
