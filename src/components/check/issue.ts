import type { Issue as AnyIssue, IssueCode as AnyIssueCode } from '../../contract/issue'

/** One thing that is wrong with a component, a message or a modal, at its exact place. */
export type Issue = AnyIssue

/** The kinds of problem that an {@link Issue} names. */
export type IssueCode = AnyIssueCode
