# SPDX-License-Identifier: BSD-3-Clause
# Run-time options of the sanitizers, sourced by `./ambf test --asan|--tsan`.
# The wheels' libraries are not instrumented: what they do is suppressed by library name, never by a file of ours.
ambf_suppressions="$AMBF_ROOT/underlay/sanitizers"
export ASAN_OPTIONS="detect_leaks=1:detect_stack_use_after_return=1:new_delete_type_mismatch=1:suppressions=$ambf_suppressions/asan.supp"
export LSAN_OPTIONS="suppressions=$ambf_suppressions/lsan.supp:print_suppressions=0"
export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1:suppressions=$ambf_suppressions/ubsan.supp"
export TSAN_OPTIONS="halt_on_error=0:exitcode=66:history_size=4:suppressions=$ambf_suppressions/tsan.supp"
