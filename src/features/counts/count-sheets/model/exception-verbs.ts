/** What one press does about the exceptions of a kind. Closing does the rest for `apply`. */
export type ExceptionVerb = {
  /** The words on the button. */
  label: string
  /** The reason that the decision keeps. */
  reason: string
  /** The store that is asked to send the frames. The request needs a connection. */
  asksStore: string | null
}

const belongsTo = 'Belongs to '
const verbs: Record<string, readonly [label: string, reason: string]> = {
  'Removed from stock': ['Put back in stock', ''],
  'In transit': ['Receive here', ''],
  'Was Missing': ['Return to stock', ''],
  Sold: ['Keep as sold', 'Sold, kept aside'],
  'On hold': ['Keep on hold', ''],
  'Not part of this count': ['Return to its board', ''],
  'Unknown code': ['Set aside', 'No frame found'],
}

/** Returns what is done about exceptions of this kind, as `exceptionKind` names it; null when only a user can say. */
export function verbOf(kind: string, mayTransfer: boolean): ExceptionVerb | null {
  if (kind.startsWith(belongsTo)) {
    if (!mayTransfer) return null
    return { label: 'Request transfer', reason: 'Transfer requested', asksStore: kind.slice(belongsTo.length) }
  }
  const known = verbs[kind]
  return known ? { label: known[0], reason: known[1], asksStore: null } : null
}
