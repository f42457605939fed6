import type { ReactNode } from 'react'

/** What became of a scan, in words. */
export type ScanNotice = { text: string; tone: 'good' | 'warn' | 'bad'; actions?: ReactNode }
