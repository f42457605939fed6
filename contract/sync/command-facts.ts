/** What a tablet must know of a kind of command without its body. */
export type CommandFacts = {
  /** The version of the body that today's app writes. */
  version: number
  /** Others of its lane depend on it: when it needs attention, the lane waits for the person. */
  blocksLane?: true
  /**
   * It deletes or closes. Its author must be the person whose session delivers it: a signature made earlier is not enough. No command prices
   * or signs; those calls need a session anyway. A command that only adds, or that a user can undo, travels with its signature.
   */
  isLive?: true
  /**
   * Its body names facts of a patient. A device seals the body to the server's key (HPKE, RFC 9180) before it writes it. The person who finds
   * the tablet, or delivers the work for its author, cannot read it.
   */
  isSealed?: true
}
