//! Sets of squares as the bits of a number: what is the same on every board.

/// What a set of squares, declared as `struct Bitboard(bits)` beside `struct Square(u8)`, can do whatever the board: membership,
/// union, difference, and going through its squares.
macro_rules! square_set {
    ($bits:ty) => {
        impl Bitboard {
            /// No square.
            pub const EMPTY: Bitboard = Bitboard(0);

            /// The bits themselves.
            #[inline]
            pub const fn bits(self) -> $bits {
                self.0
            }

            /// Whether the set has no square.
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Whether the two sets share a square.
            #[inline]
            pub const fn meets(self, other: Bitboard) -> bool {
                self.0 & other.0 != 0
            }

            /// How many squares.
            #[inline]
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Both sets together, usable in constants.
            #[inline]
            pub const fn union(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 | other.0)
            }

            /// This set if `keep`, else nothing: a choice without a branch.
            #[allow(dead_code)] // Not every board has a use for it.
            #[inline]
            pub(super) fn only_if(self, keep: bool) -> Bitboard {
                Bitboard(self.0 & (keep as $bits).wrapping_neg())
            }
        }

        impl std::ops::BitAnd for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn bitand(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 & other.0)
            }
        }

        impl std::ops::BitOr for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn bitor(self, other: Bitboard) -> Bitboard {
                self.union(other)
            }
        }

        impl std::ops::BitOrAssign for Bitboard {
            #[inline]
            fn bitor_assign(&mut self, other: Bitboard) {
                self.0 |= other.0;
            }
        }

        /// The squares of the left set that are not in the right one.
        impl std::ops::Sub for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn sub(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 & !other.0)
            }
        }

        /// The squares that are not in the set.
        impl std::ops::Not for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn not(self) -> Bitboard {
                Bitboard::FULL - self
            }
        }

        /// The squares of the set, lowest index first.
        impl Iterator for Bitboard {
            type Item = Square;
            #[inline]
            fn next(&mut self) -> Option<Square> {
                if self.0 == 0 {
                    return None;
                }
                let lowest = self.0.trailing_zeros() as u8;
                self.0 &= self.0 - 1;
                Some(Square(lowest))
            }
            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.len(), Some(self.len()))
            }
        }
    };
}
