import type { ReactNode } from 'react'

/** The result of a scan, in words. */
export type ScanNotice = { text: string; tone: 'good' | 'warn' | 'bad'; actions?: ReactNode }
