/** The kinds of nodes a reading statement is made of, as data. A kind that is not here is refused. */

function kinds(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Names of the parser's enum values that only read. */
export const ALLOWED_VARIANTS = kinds(`
  Query Select SetOperation Values
  Table Derived NestedJoin Pivot Unpivot UNNEST
  Join Inner Left LeftOuter Right RightOuter FullOuter CrossJoin Semi LeftSemi RightSemi Anti LeftAnti RightAnti
  AsOf On Using
  Identifier CompoundIdentifier CompoundFieldAccess JsonAccess Dot Subscript Index Slice Bracket
  IsFalse IsNotFalse IsTrue IsNotTrue IsNull IsNotNull IsUnknown IsNotUnknown IsDistinctFrom IsNotDistinctFrom
  InList InSubquery InUnnest Between BinaryOp Like ILike SimilarTo RLike Regexp AnyOp AllOp UnaryOp Cast AtTimeZone
  Extract Ceil Floor DateTimeField Scale Position Substring Trim Overlay Collate Nested Value TypedString Function
  Case Exists Subquery GroupingSets Cube Rollup Tuple Struct Named Dictionary Map Array Interval Lambda One Many
  Custom CustomBinaryOperator
  Number SingleQuotedString HexStringLiteral Boolean
  List Unnamed ExprNamed Expr Wildcard QualifiedWildcard ObjectName OrderBy Limit IgnoreNulls Separator
  UnnamedExpr ExprWithAlias ExprWithAliases Expressions All LimitOffset OffsetCommaLimit
  Single Multiple Any
  WindowSpec NamedWindow Preceding Following
  BeforeTableAlias AfterTableAlias
`);

/** The fields that may hold something; every other field of these nodes must be empty. */
export const PLAIN_FIELDS = {
  query: kinds('with body order_by limit_clause fetch'),
  select: kinds(`
    select_token distinct projection from selection group_by having named_window qualify
    window_before_qualify flavor
  `),
  table: kinds('name alias args with_ordinality sample'),
};
